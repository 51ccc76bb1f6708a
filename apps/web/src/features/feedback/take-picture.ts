import { domToDataUrl } from 'modern-screenshot';

/** Attribute of elements to leave out of the picture, such as the button that opens the dialog. */
const NOT_ON_PICTURE = 'data-not-on-picture';

/** The visible part of the page as a JPEG data URL, with the patient's details hidden. */
export function takePicture(): Promise<string> {
  return domToDataUrl(document.body, {
    type: 'image/jpeg',
    quality: 0.8,
    width: window.innerWidth,
    height: window.innerHeight,
    style: { transform: `translateY(${-window.scrollY}px)` },
    backgroundColor: getComputedStyle(document.body).backgroundColor,
    filter: (node) => !(node instanceof Element && node.hasAttribute(NOT_ON_PICTURE)),
    // Reading the page's fonts would need a style element, which the content security policy forbids.
    font: false,
    onCloneNode: hideDetails,
  });
}

/** Elements with the interface's own texts. Any other text may be about the patient. */
const INTERFACE = 'label, legend, button, a, h1, h2, th, dt, nav, [role="tab"]';
/** Interface elements whose text concerns the patient nevertheless. */
const PRIVATE = '[data-private]';

const hidden = (text: string) => text.replaceAll(/[^\s]/g, '▪');

function hideValue(field: HTMLInputElement | HTMLTextAreaElement | HTMLSelectElement): void {
  if (field instanceof HTMLInputElement) {
    if (field.type !== 'checkbox' && field.type !== 'radio')
      field.setAttribute('value', hidden(field.value));
  } else if (field instanceof HTMLTextAreaElement) {
    field.textContent = hidden(field.value);
  }
  field.removeAttribute('title');
}

/**
 * Hides everything on a copy of the page that may be about the patient: typed values, every
 * picture, and every text that is not the interface's own. Pages added later are thus hidden by
 * default.
 */
export function hideDetails(page: Node): void {
  if (!(page instanceof Element)) return;
  for (const image of page.querySelectorAll('img, canvas, video')) image.remove();
  for (const field of page.querySelectorAll<HTMLInputElement>('input, textarea, select'))
    hideValue(field);
  const texts = document.createTreeWalker(page, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text !== null; text = texts.nextNode()) {
    const around = text.parentElement;
    if (around === null || around.closest('style') !== null) continue;
    if (around.closest(INTERFACE) === null || around.closest(PRIVATE) !== null)
      text.nodeValue = hidden(text.nodeValue ?? '');
  }
}
