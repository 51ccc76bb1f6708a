import { PassThrough } from 'node:stream';
import { expect, test } from 'vitest';
import { askOn } from './command-line.ts';

test('A question is answered by the line that is typed, or by nothing where the input ends', async () => {
  for (const [typed, answer] of [
    ['yes\n', 'yes'],
    ['no\nyes\n', 'no'],
    ['', ''],
  ] as const) {
    const input = new PassThrough();
    const output = new PassThrough();
    const asked = askOn(input, output)('Sure? \u001b[2J');
    input.end(typed);
    expect(await asked).toBe(answer);
    expect(String(output.read())).toContain('Sure? \\u001b[2J');
  }
});
