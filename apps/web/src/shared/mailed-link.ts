import { type FoundLink, linkAt } from '@clinic/domain';
import { useAddress } from './navigation.ts';

/** The mailed link that the present address is, and where it leads if it was rewritten on its way. */
export function useMailedLink(): {
  readonly link: FoundLink | null;
  readonly mended: string | null;
} {
  const address = useAddress();
  const link = linkAt(address);
  return { link, mended: link === null || link.address === address ? null : link.address };
}
