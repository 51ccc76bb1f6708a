import { isolateRightToLeft } from '@clinic/domain';
import { once } from 'node:events';
import { createInterface } from 'node:readline/promises';
import type { CommandOutput } from './commands.ts';

/** What steers a terminal, or turns the order in which a line is shown. Tab stays. */
const STEERING = /(?!\t)[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_C}]/gu;

/**
 * A line as a terminal may have it: what people wrote is shown and never obeyed. A character that
 * steers stands there as its number; words from right to left are isolated, so that they do not
 * pull the rest of the line along.
 */
export function printable(line: string): string {
  const harmless = line
    .toWellFormed()
    .replace(STEERING, (each) => `\\u${each.charCodeAt(0).toString(16).padStart(4, '0')}`);
  return isolateRightToLeft(harmless);
}

/** Where the operator sits. */
export interface Terminal {
  readonly out: (line: string) => void;
  readonly err: (line: string) => void;
  /** Puts a file beside the operator; throws when one of its name is there. */
  readonly save: (name: string, bytes: Uint8Array) => void;
  /** The operator's answer; null where nobody sits who could be asked. */
  readonly ask: ((question: string) => Promise<string>) | null;
}

/** All that the operator reads goes through here, whichever command says it. */
export function printing({ out, err, save }: Terminal) {
  const lines = (text: string) => text.split('\n').map(printable).join('\n');
  return {
    /** Our own text: a help, a sentence about what went wrong. */
    say: (text: string) => out(lines(text)),
    complain: (text: string) => err(lines(text)),
    put: (output: CommandOutput) => {
      if (output.kind === 'file') {
        save(output.name, Buffer.from(output.base64, 'base64'));
        return out(printable(`Wrote ${output.name}`));
      }
      if (output.kind === 'refused') return err(lines(output.text));
      // One line, whatever is in it: a second one could pass for ours.
      return out(printable(output.text));
    },
  };
}

/** The question that was asked, and what was typed; nothing when the input ended. */
export function askOn(
  input: NodeJS.ReadableStream,
  output: NodeJS.WritableStream,
): NonNullable<Terminal['ask']> {
  return async (question) => {
    const lines = createInterface({ input, output });
    const gone = once(lines, 'close').then(() => '');
    try {
      return await Promise.race([lines.question(printable(question)), gone]);
    } finally {
      lines.close();
    }
  };
}
