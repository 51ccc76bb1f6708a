import { useCallback } from 'react';

/**
 * For the `ref` of an image: shows a file in it. The picture has an address within the page for as
 * long as it is shown, and never leaves it.
 */
export function usePictureOf(file: Blob | null): (image: HTMLImageElement) => () => void {
  return useCallback(
    (image) => {
      if (file === null) return () => {};
      const address = URL.createObjectURL(file);
      image.src = address;
      return () => URL.revokeObjectURL(address);
    },
    [file],
  );
}
