import { patient } from '../messages/en/patient.ts';
import { loadMessages } from '../messages/t.ts';

// Several pages share them; the first of them loads these words.
await loadMessages({ patient });
