/** Names of the `{name}` placeholders in a message; plural branches are written with `#` or words. */
export type Placeholders<Message extends string> = Message extends `${string}{${infer Rest}`
  ? NameAtStart<Rest> | Placeholders<Rest>
  : never;

type NameAtStart<Text extends string> = Text extends `${infer Head}}${string}`
  ? Head extends `${infer Name},${string}`
    ? Word<Name>
    : Word<Head>
  : never;

type Word<Text extends string> = Text extends `${string} ${string}` | `${string}#${string}`
  ? never
  : Text;

export type Values<Message extends string> = {
  readonly [Name in Placeholders<Message>]: string | number;
};
