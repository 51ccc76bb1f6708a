import type { ReactNode } from 'react';
import { createPortal } from 'react-dom';

export const FOOT = 'foot';

/** What is said at the foot of the window, so that nothing of the page moves under the hand. */
export function AtFoot({ children }: { children: ReactNode }) {
  const foot = document.getElementById(FOOT);
  return foot && createPortal(children, foot);
}
