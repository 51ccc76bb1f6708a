/**
 * The length of a text as a patient counts it: in code points, without space around it..
 */
export function trimmedLength(text: string): number {
  return Array.from(text.trim()).length;
}
