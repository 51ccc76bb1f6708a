/** A piece of output for the operator. */
export type CommandOutput =
  | { readonly kind: 'line' | 'refused'; readonly text: string }
  | { readonly kind: 'file'; readonly name: string; readonly base64: string };
