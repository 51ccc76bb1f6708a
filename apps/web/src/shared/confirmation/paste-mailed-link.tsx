import { PasteLink } from '@clinic/ui/paste-link';
import { useLocation } from 'wouter';
import { t } from '../../messages/t.ts';
import '../fields/identity-words.ts';
import { useAddress } from '../navigation.ts';

/** For pages that a mailed link opens, where it did not arrive whole. */
export function PasteMailedLink() {
  const [, goTo] = useLocation();
  return (
    <PasteLink
      address={useAddress()}
      words={{
        label: t('identity.pasteLink'),
        hint: t('identity.pasteHint'),
        open: t('identity.pasteOpen'),
        none: t('identity.pasteNone'),
        several: t('identity.pasteSeveral'),
        same: t('identity.pasteSame'),
      }}
      onLink={(pasted) => {
        // The address that was no whole link is nothing to come back to.
        if (!pasted.startsWith('/desk/')) goTo(pasted, { replace: true });
        else location.assign(pasted);
      }}
    />
  );
}
