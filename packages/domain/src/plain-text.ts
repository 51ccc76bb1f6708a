/** C0 and C1 controls except tab and line ends. Browsers send a line end in a form as CR LF. */
const CONTROL = /(?!\r?\n|\t)\p{Cc}/u;
const CONTROLS = new RegExp(CONTROL, 'gu');
/** Whether a text is well-formed Unicode and has no control characters except newline and tab. See S-17. */
export function isPlainText(text: string): boolean {
  return text.isWellFormed() && !CONTROL.test(text);
}

/** Makes typed or pasted text plain: control characters are dropped. */
export function plainText(typed: string): string {
  return typed.toWellFormed().replace(CONTROLS, '');
}
