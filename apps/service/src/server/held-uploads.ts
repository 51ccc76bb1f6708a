import { type Refusal, refuse } from './refusal.ts';

/** Bytes of all uploads that are in memory at once, and forms that one patient sends at once. */
const HELD_AT_MOST = 192 * 1024 * 1024;
const FORMS_AT_ONCE = 2;

/** How much memory uploads take: a bound for everybody and one for each patient (S-4). */
export interface HeldUploads {
  take(sender: string): HeldPlace | { readonly kind: 'refused'; readonly refusal: Refusal };
}

export interface HeldPlace {
  readonly kind: 'taken';
  /** False when there is no room for that many bytes more. */
  readonly grow: (bytes: number) => boolean;
  readonly release: () => void;
}

export function holdUploads(): HeldUploads {
  let heldByAll = 0;
  const forms = new Map<string, number>();

  return {
    take(sender) {
      const others = forms.get(sender) ?? 0;
      if (others >= FORMS_AT_ONCE) return { kind: 'refused', refusal: refuse('tooManyRequests') };
      forms.set(sender, others + 1);
      let held = 0;
      let released = false;
      return {
        kind: 'taken',
        grow(bytes) {
          if (heldByAll + bytes > HELD_AT_MOST) return false;
          heldByAll += bytes;
          held += bytes;
          return true;
        },
        release() {
          if (released) return;
          released = true;
          heldByAll -= held;
          const left = (forms.get(sender) ?? 1) - 1;
          if (left === 0) forms.delete(sender);
          else forms.set(sender, left);
        },
      };
    },
  };
}
