import { toldByPages } from '@clinic/contract/told-by-pages';
import { formats } from '@clinic/texts';
import type { Messages } from '@clinic/texts/po';
import { day } from '../src/messages/day.ts';
import { everyPage } from '../src/messages/every-page.ts';
import { frame } from '../src/messages/frame.ts';
import { desk } from '../src/messages/index.ts';

const withIds = (prefix: string, texts: Messages): Messages =>
  Object.fromEntries(Object.entries(texts).map(([code, text]) => [`${prefix}.${code}`, text]));

/** Every English text that the front desk can show by part, under its id. */
export const englishTexts = async (): Promise<Readonly<Record<string, Messages>>> => ({
  frame,
  format: withIds('format', formats),
  daySheet: { ...everyPage, ...day },
  desk,
  told: withIds('refusal', toldByPages),
});
