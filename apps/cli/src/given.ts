import { CommandRefused } from './command.ts';

export interface GivenFile {
  readonly name: string;
  readonly bytes: Buffer;
}

/** What the operator typed, as it goes over the API: `files` holds base64 by the option's name. */
export interface GivenJson {
  readonly arguments: Readonly<Record<string, string>>;
  readonly texts: Readonly<Record<string, readonly string[]>>;
  readonly flags: readonly string[];
  readonly files: Readonly<
    Record<string, readonly { readonly name: string; readonly base64: string }[]>
  >;
}

/** The same, for a command to ask. */
export interface Given {
  argument(name: string): string;
  optionalArgument(name: string): string | null;
  /** The last one given, or null. */
  text(option: string): string | null;
  texts(option: string): readonly string[];
  flag(option: string): boolean;
  files(option: string): readonly GivenFile[];
}

export function givenFrom(json: GivenJson): Given {
  const optionalArgument = (name: string) => json.arguments[name] ?? null;
  return {
    argument(name) {
      const found = optionalArgument(name);
      if (found === null) throw new CommandRefused(`<${name}> is missing.`);
      return found;
    },
    optionalArgument,
    text: (option) => json.texts[option]?.at(-1) ?? null,
    texts: (option) => json.texts[option] ?? [],
    flag: (option) => json.flags.includes(option),
    files: (option) =>
      (json.files[option] ?? []).map(({ name, base64 }) => ({
        name,
        bytes: Buffer.from(base64, 'base64'),
      })),
  };
}
