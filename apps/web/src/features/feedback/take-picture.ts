import { domToDataUrl } from 'modern-screenshot';

/** Marks what is not of the page: the button that opens the dialog. */
const NOT_ON_PICTURE = 'data-not-on-picture';

/**
 * The part of the page that the patient sees, as a JPEG data URL, with their details hidden.
 */
export function takePicture(): Promise<string> {
  return domToDataUrl(document.body, {
    type: 'image/jpeg',
    quality: 0.8,
    width: window.innerWidth,
    height: window.innerHeight,
    style: { transform: `translateY(${-window.scrollY}px)` },
    backgroundColor: getComputedStyle(document.body).backgroundColor,
    filter: (node) => !(node instanceof Element && node.hasAttribute(NOT_ON_PICTURE)),
    // Reading the page's fonts needs a style of its own, which the content policy forbids.
    font: false,
    onCloneNode: hideDetails,
  });
}

/** What is the interface's own text. Everything else on the picture may be about the patient. */
const INTERFACE = 'label, legend, button, a, h1, h2, th, dt, nav, [role="tab"]';
/** The interface's own elements that speak of the patient all the same. */
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
 * Hides everything on a copy of the page that may be about the patient: what was typed, every
 * picture, and every text that is not the interface's own. A page that is added later is hidden
 * too.
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
