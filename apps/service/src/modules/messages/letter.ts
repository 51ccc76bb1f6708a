import type { ClinicIdentity } from '../../platform/config.ts';
import type { Letter } from '../../ports/mail.ts';

/** that there is an answer, and nothing of what it says. */
export function answerLetter(
  key: string,
  to: string,
  clinic: ClinicIdentity,
  publicUrl: string,
): Letter {
  return {
    key,
    to,
    subject: `The clinic has answered your message - ${clinic.name}`,
    text: [
      'The clinic has answered your message.',
      `Sign in to read it under My Account: ${publicUrl}/account`,
      '',
      clinic.name,
      clinic.address,
      `Phone ${clinic.phone}`,
      `E-mail ${clinic.email} (not for medical advice)`,
    ].join('\n'),
  };
}
