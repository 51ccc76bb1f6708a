import { agreementTexts } from './agreements.ts';
import { away } from './away.ts';
import { calendar } from './calendar.ts';
import { changes } from './changes.ts';
import { emails } from './emails.ts';
import { fieldLabels, problems } from './identity.ts';
import { refusals } from './index.ts';

/** Every English text of this package, by part. A text's id is the part and the code. */
export const english = {
  refusal: refusals,
  calendar,
  change: changes,
  field: fieldLabels,
  problem: problems,
  email: emails,
  agreement: agreementTexts,
  away,
} as const;
