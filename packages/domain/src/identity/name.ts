import { hasDirectionOverride } from '../plain-text.ts';

/** R-62; letters of any script, digits, apostrophe, hyphen, period, comma and slash pass. */
const INVALID_SYMBOL = /[\p{Cc}<>{}[\]\\|^~`"$%;=*!?#@]/u;

/** Whether a text holds a symbol that names, cities and the like may not hold.. */
export function hasInvalidSymbol(text: string): boolean {
  return INVALID_SYMBOL.test(text) || hasDirectionOverride(text);
}
