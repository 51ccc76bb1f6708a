/** What fills the placeholders of a text. */
export type Values = Readonly<Record<string, string | number | undefined>>;

/** Fills `{name}` placeholders; a name without a value stays as it stands. */
export const fill = (text: string, values: Values = {}): string =>
  text.replace(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
