import { agreementTexts } from './agreements.ts';
import { changes } from './changes.ts';
import { emails } from './emails.ts';
import { fieldLabels, problems } from './identity.ts';
import { refusals } from './index.ts';

/** Every English text of this package, by part. A text's id is the part and the code. */
export const english = {
  refusal: refusals,
  change: changes,
  field: fieldLabels,
  problem: problems,
  email: emails,
  agreement: agreementTexts,
} as const;
