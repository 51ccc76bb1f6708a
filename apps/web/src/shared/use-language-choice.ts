import { useQueryClient } from '@tanstack/react-query';
import { useConfig } from '../api/config.ts';
import { pageLanguage } from '@clinic/app/language';
import { chooseLanguage, sayNotKept } from './language.ts';
import { useSession } from './session/session.ts';
import { useStore } from '@clinic/app/store';

/** The offered languages, the page's and a function that chooses another; null when there is only one. */
export function useLanguageChoice() {
  const offered = useConfig()?.languages ?? [];
  const queryClient = useQueryClient();
  const signedIn = useSession().state === 'signedIn';
  const current = useStore(pageLanguage);
  if (offered.length < 2) return null;
  const choose = async (next: string) => {
    try {
      await chooseLanguage(next, signedIn);
    } catch (error) {
      sayNotKept(error);
    }
    // Texts from the service are in the old language, so fetch them again.
    await queryClient.invalidateQueries();
  };
  return {
    offered,
    current: offered.some(({ id }) => id === current) ? current : 'en',
    choose: (next: string) => void choose(next),
  };
}
