import type { Call } from '@clinic/contract';
import fc from 'fast-check';
import { type AskOptions, aPicture, formBody } from '../../testing/index.ts';
import { type Spoiling, sent } from './spoiling.ts';

const HEADS = [
  'multipart/form-data',
  'multipart/form-data; boundary',
  'multipart/form-data; boundary=',
  'multipart/form-data; boundary=another',
];
const BOUNDARY = 'multipart/form-data; boundary=x';
const NO_FORMS = [
  '',
  '--x',
  '--x--',
  '--x\r\n',
  '--x\r\n\r\n\r\n--x--',
  '--x\r\ncontent-disposition: form-data\r\n\r\na\r\n--x--',
  '--x\r\ncontent-disposition: attachment; name="files"\r\n\r\na\r\n--x--',
  `--x\r\n${'a: b\r\n'.repeat(500)}\r\na\r\n--x--`,
  `--x\r\ncontent-disposition: form-data; name="${'n'.repeat(100_000)}"\r\n\r\na\r\n--x--`,
  '--x\r\ncontent-type: text/plain; charset=no-such\r\ncontent-disposition: form-data; name="a"\r\n\r\n\xff\r\n--x--',
  '{"isHealthCard":"true"}',
  '\0'.repeat(2_000),
];
const STRANGE_FIELDS = ['__proto__', 'constructor', 'toString', 'hasOwnProperty', '', 'a"b', 'x'];
const STRANGE_FILE_NAMES = ['', '../../etc/passwd', 'a\0b', '\u202Egpj.exe', 'x'.repeat(3_000)];

/** Forms that are none, cut, or of strange parts: for calls that take files (R-80, S-11). */
export function spoilForm(call: Call): fc.Arbitrary<Spoiling>[] {
  if (call.files === undefined) return [];
  const most = call.files.most;
  const formOf = ({ body, files }: AskOptions) => formBody(body, files ?? [aPicture()]);
  const raw = (
    name: string,
    over: Partial<Spoiling>,
    make: (request: AskOptions) => ReturnType<typeof formBody>,
  ): Spoiling => ({
    name,
    mustRefuse: true,
    ...over,
    spoil(request) {
      const { body: _body, files: _files, ...rest } = request;
      const { payload, headers } = make(request);
      const bare = sent(call, rest);
      return { ...bare, headers: { ...bare.headers, ...headers }, payload };
    },
  });
  const fileIn = (field: string) =>
    raw(`a file as the field ${field}`, { status: 422 }, ({ body }) =>
      formBody(body, [aPicture({ field })]),
    );
  return [
    fc.nat(10_000).map((at) =>
      raw(`a form cut at ${at}`, { status: 400 }, (request) => {
        const { payload, headers } = formOf(request);
        return { headers, payload: payload.subarray(0, 1 + (at % (payload.length - 40))) };
      }),
    ),
    fc.constantFrom(...HEADS).map((type) =>
      raw(`a form of type ${type}`, { status: 400 }, (request) => ({
        ...formOf(request),
        headers: { 'content-type': type },
      })),
    ),
    fc.constantFrom(...NO_FORMS).map((payload) =>
      raw(`the form ${payload.slice(0, 60)}`, {}, () => ({
        headers: { 'content-type': BOUNDARY },
        payload: Buffer.from(payload, 'latin1'),
      })),
    ),
    fc.constantFrom(...STRANGE_FIELDS, ...Object.keys(call.body?.shape ?? {})).map(fileIn),
    fc
      .constantFrom(...STRANGE_FILE_NAMES)
      .map((name) =>
        raw(`a file called ${name.slice(0, 40)}`, { mustRefuse: false }, ({ body }) =>
          formBody(body, [aPicture({ name })]),
        ),
      ),
    fc.constant(
      raw('a file too many', { status: 422 }, ({ body }) =>
        formBody(
          body,
          Array.from({ length: most + 1 }, () => aPicture()),
        ),
      ),
    ),
    fc.constant(
      raw('a field too large', { status: 413 }, () =>
        formBody({ [Object.keys(call.body?.shape ?? {})[0] ?? 'x']: 'x'.repeat(70_000) }, []),
      ),
    ),
    fc.constant(
      raw('too many fields', { status: 413 }, () =>
        formBody(Object.fromEntries(Array.from({ length: 60 }, (_, at) => [`f${at}`, 'x'])), []),
      ),
    ),
    fc
      .uint8Array({ maxLength: 300 })
      .map((bytes) =>
        raw('a file of any bytes', { mustRefuse: false }, ({ body }) =>
          formBody(body, [aPicture({ bytes })]),
        ),
      ),
  ];
}
