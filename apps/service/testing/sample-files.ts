import type { FormFile } from './form-body.ts';

/** One white pixel. */
const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAIAAACQd1PeAAAADElEQVR4nGP4//8/AAX+Av4N70a4AAAAAElFTkSuQmCC';

/** The smallest picture that is one. */
export const aPicture = (over: Partial<FormFile> = {}): FormFile => ({
  name: 'card.png',
  type: 'image/png',
  bytes: Buffer.from(PIXEL, 'base64'),
  ...over,
});
