/** A file as a browser is handed it. */
export interface AttachedFile {
  readonly name: string;
  readonly mimeType: string;
  readonly buffer: Buffer;
}

/** 64 by 40 pixels of the clinic's colour. */
const PICTURE = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAEAAAAAoCAMAAAB5EAzbAAAAA1BMVEULbm76W9hNAAAACXBIWXMAAAPoAAAD6AG1e1JrAAAA' +
    'GUlEQVRIie3BgQAAAADDoPlTH+AKVQEAQGcKKAABLIRnLQAAAABJRU5ErkJggg==',
  'base64',
);

/** A picture that any browser can draw. */
export const picture = (name: string): AttachedFile => ({
  name,
  mimeType: 'image/png',
  buffer: PICTURE,
});

/** A phone's own kind of picture, whatever its name says. */
export const heicPicture: AttachedFile = {
  name: 'photo.jpg',
  mimeType: 'image/jpeg',
  buffer: Buffer.from('\0\0\0\x18ftypheic\0\0\0\0mif1heic', 'latin1'),
};

/** The beginning of a picture of which the rest was lost. */
export const brokenPicture: AttachedFile = {
  name: 'broken.png',
  mimeType: 'image/png',
  buffer: PICTURE.subarray(0, 60),
};

/** A web page that calls itself a picture. */
export const pageAsPicture: AttachedFile = {
  name: 'card.png',
  mimeType: 'image/png',
  buffer: Buffer.from('<!doctype html><script>alert(1)</script>'),
};
