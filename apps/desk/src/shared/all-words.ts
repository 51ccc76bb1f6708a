import { loadMessages } from '@clinic/app/language';
import { desk } from '../messages/index.ts';

// For what is fetched later: the sign-in and the day sheet have brought their own.
await loadMessages({ desk });
