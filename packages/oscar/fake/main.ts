// npm run oscar:fake -- --profile openo --port 8090 --staff 6
import { parseArgs } from 'node:util';

import { profiles } from './profiles.ts';
import { credentials } from './seed.ts';
import { type FakeOptions, startFakeOscar } from './server.ts';

const { values } = parseArgs({
  options: {
    profile: { type: 'string', default: 'openo' },
    port: { type: 'string', default: '8090' },
    staff: { type: 'string', default: '0' },
    today: { type: 'string' },
  },
});

/** 0.2.0 called it so. */
const named = values.profile === 'oscar19' ? 'classic' : values.profile;
if (named in profiles) {
  const profile = named as FakeOptions['profile'];
  const { today } = values;
  const fake = await startFakeOscar({
    profile,
    port: Number(values.port),
    ...(today !== undefined && { today }),
  });
  // A program that forked it hears where it answers, and takes it along however it ends itself.
  process.send?.({ base: fake.base, page: fake.page });
  process.once('disconnect', () => void fake.stop());
  if (Number(values.staff) > 0) fake.employ(Number(values.staff));
  const { consumer, token, soap } = credentials;
  process.stdout.write(
    [
      `A stand-in for OSCAR (${profile}) answers at ${fake.base}; its day sheet is at ${fake.page}`,
      `REST client  ${consumer.key} ${consumer.secret}`,
      `Token        ${token.key} ${token.secret}`,
      `SOAP login   ${soap.userName} ${soap.password}`,
      '',
    ].join('\n'),
  );
} else {
  process.stderr.write(`--profile is one of ${Object.keys(profiles).join(', ')}\n`);
  process.exitCode = 1;
}
