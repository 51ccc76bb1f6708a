import { text } from '@clinic/contract/texts';
import { type Refusal, refuse } from '../../server/refusal.ts';
import { acceptFile } from '../documents/index.ts';

const DATA_URL = /^data:image\/(?:png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;

/** The picture as we drew it anew (S-4), as a data URL; null for none. What it says it is is not believed. */
export async function readScreenshot(dataUrl: string): Promise<string | null | Refusal> {
  if (dataUrl === '') return null;
  const base64 = DATA_URL.exec(dataUrl)?.[1];
  if (base64 === undefined)
    return refuse('invalidInput', {
      errors: [{ field: 'dataURL', message: text('invalidField') }],
    });
  const decision = await acceptFile(Buffer.from(base64, 'base64'), { accept: 'images' });
  if (decision.kind === 'refused') return refuse(decision.code);
  const { mediaType, bytes } = decision;
  return `data:${mediaType};base64,${Buffer.from(bytes).toString('base64')}`;
}
