import { keptDraft } from '../../shared/kept-draft.ts';
import type { ProfileDraft } from './profile-draft.ts';

/** The profile as it was typed and not saved. */
export const keptProfile = keptDraft<ProfileDraft>('account');
