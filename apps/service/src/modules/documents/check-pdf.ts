import {
  PDFArray,
  PDFDict,
  PDFDocument,
  PDFHexString,
  PDFInvalidObject,
  PDFName,
  type PDFObject,
  PDFStream,
  PDFString,
  ParseSpeeds,
} from '@cantoo/pdf-lib';

const names = (texts: string) => new Set(texts.split(' ').map((each) => PDFName.of(each)));

/** Keys that carry a script, a form in XML, files within the file, or content from elsewhere. */
const FORBIDDEN_KEYS = names(
  'JS JavaScript XFA EmbeddedFiles EF AF Collection RichMediaContent RichMediaSettings',
);
/** Actions that are refused (ISO 32000-2, 12.6.4). */
const FORBIDDEN_ACTIONS = names(
  'JavaScript Launch ImportData SubmitForm GoToE GoToR Rendition RichMediaExecute',
);
/** Kinds of streams and annotations that are players, files or programs. */
const FORBIDDEN_KINDS = names('EmbeddedFile FileAttachment RichMedia Screen Movie Sound 3D PS');
/** Streams that hold other objects: those objects are written out one by one, and these streams are not. */
const CONTAINERS = names('ObjStm XRef');
const TYPE = PDFName.of('Type');
const SUBTYPE = PDFName.of('Subtype');
const ACTION = PDFName.of('S');
const FILE = PDFName.of('F');
const LINK = PDFName.of('URI');
const HARMLESS_LINK = /^\s*(https?|mailto|tel):/i;

/**
 * Writes a PDF anew from all objects of the given one; null when an object is of a refused kind. Bytes
 * between or after the objects are dropped. The result is read and checked once more, so that nothing
 * that the first reading overlooked is kept.
 */
export async function checkPdf(bytes: Uint8Array): Promise<Uint8Array | null> {
  try {
    const pdf = await read(bytes);
    if (!isHarmlessPdf(pdf)) return null;
    const written = await pdf.save({
      useObjectStreams: false,
      addDefaultPage: false,
      updateFieldAppearances: false,
    });
    const again = await read(written);
    return isHarmlessPdf(again) && !objectsOf(again).some(isContainer) ? written : null;
  } catch {
    // A file that the reader cannot read to its end was not checked in full.
    return null;
  }
}

const read = (bytes: Uint8Array) =>
  PDFDocument.load(bytes, {
    parseSpeed: ParseSpeeds.Fastest,
    throwOnInvalidObject: true,
    updateMetadata: false,
    preserveXFA: true,
    capNumbers: true,
  });

const objectsOf = ({ context }: PDFDocument) =>
  context.enumerateIndirectObjects().map(([, object]) => object);

const isHarmlessPdf = (pdf: PDFDocument): boolean =>
  pdf.context.trailerInfo.Encrypt === undefined &&
  pdf.getPageCount() > 0 &&
  objectsOf(pdf).every(isHarmless);

const isContainer = (object: PDFObject): boolean =>
  object instanceof PDFStream && isNamed(object.dict, TYPE, CONTAINERS);

/** Checks an object and everything inside it; objects that it refers to are checked on their own. */
function isHarmless(object: PDFObject): boolean {
  const left: PDFObject[] = [object];
  for (let next = left.pop(); next !== undefined; next = left.pop()) {
    if (next instanceof PDFInvalidObject) return false;
    if (next instanceof PDFArray) left.push(...next.asArray());
    const dict = next instanceof PDFStream ? next.dict : next;
    if (!(dict instanceof PDFDict)) continue;
    if (next instanceof PDFStream && dict.has(FILE)) return false;
    for (const [key, value] of dict.entries()) {
      if (FORBIDDEN_KEYS.has(key) || isForbidden(dict, key)) return false;
      left.push(value);
    }
  }
  return true;
}

function isForbidden(dict: PDFDict, key: PDFName): boolean {
  if (key === LINK) return isHarmfulLink(dict.lookup(key));
  if (key === ACTION) return isNamed(dict, key, FORBIDDEN_ACTIONS);
  return (key === TYPE || key === SUBTYPE) && isNamed(dict, key, FORBIDDEN_KINDS);
}

function isNamed(dict: PDFDict, key: PDFName, among: ReadonlySet<PDFName>): boolean {
  const named = dict.lookup(key);
  return named instanceof PDFName && among.has(named);
}

/** True for a link that is no http(s), mailto or tel address: a script, or a file of the reader's own. */
function isHarmfulLink(link: PDFObject | undefined): boolean {
  const isText = link instanceof PDFString || link instanceof PDFHexString;
  return isText && !HARMLESS_LINK.test(link.decodeText());
}
