import type { Call } from '@clinic/contract';
import fc from 'fast-check';
import { spoilHeaders, spoilPath, spoilQuery } from './spoil-address.ts';
import { spoilFields } from './spoil-fields.ts';
import { spoilForm } from './spoil-form.ts';
import { spoilPayload } from './spoil-payload.ts';
import type { Spoiling } from './spoiling.ts';

/** Every way to spoil a request of this call: half of them in the body, where there is one. */
export function spoilingsOf(call: Call): fc.Arbitrary<Spoiling> {
  const around = fc.oneof(
    fc.oneof(...spoilPath(call)),
    fc.oneof(...spoilQuery(call)),
    fc.oneof(...spoilHeaders(call)),
  );
  if (call.method === 'GET') return around;
  return fc.oneof(
    { weight: 2, arbitrary: around },
    { weight: 2, arbitrary: fc.oneof(...spoilFields(call)) },
    { weight: 1, arbitrary: fc.oneof(...spoilPayload(call), ...spoilForm(call)) },
  );
}
