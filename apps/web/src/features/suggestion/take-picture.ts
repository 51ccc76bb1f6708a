import { domToDataUrl } from 'modern-screenshot';
import { hideDetails } from './hide-details.ts';

/** Marks what is not of the page: the button that opens the dialog. */
export const NOT_ON_PICTURE = 'data-not-on-picture';

/** The part of the page that the patient sees, as a JPEG data URL, with their details hidden. */
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
