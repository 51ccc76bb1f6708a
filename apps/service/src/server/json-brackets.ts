/** How deep the lists and objects of a JSON text nest and how many there are, without building any. */
export function bracketsOf(json: string): { readonly deepest: number; readonly opened: number } {
  let depth = 0;
  let deepest = 0;
  let opened = 0;
  let inString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (inString) {
      if (char === '\\') at++;
      else if (char === '"') inString = false;
    } else if (char === '"') inString = true;
    else if (char === '{' || char === '[') {
      opened++;
      deepest = Math.max(deepest, ++depth);
    } else if (char === '}' || char === ']') depth--;
  }
  return { deepest, opened };
}
