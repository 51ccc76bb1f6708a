import { useCallback } from 'react';

/** For the `ref` of an image: shows a file in it by an object URL, so the picture never leaves the page. */
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
