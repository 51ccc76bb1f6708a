import { actionsOf } from '@clinic/app/use-action';
import { onSessionEnd } from './session/session.ts';
import { announce } from './shell/alerts.tsx';

/** A button press that calls the service. */
export const useAction = actionsOf({
  follow() {
    let isOver = false;
    const end = onSessionEnd(({ why }) => {
      isOver = why === 'loggedOut';
    });
    return {
      isOver: () => isOver,
      tell(says, isHere) {
        if (!isHere) announce('error', says);
      },
      end,
    };
  },
});
