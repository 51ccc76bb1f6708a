import { addPart } from '@clinic/texts/translate';
import { desk } from '../messages/index.ts';

// For what is fetched later: the sign-in and the day sheet have brought their own.
addPart('desk', desk);
