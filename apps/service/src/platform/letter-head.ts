import { mailText } from '@clinic/contract/mail-texts';
import type { ServiceConfig } from './config.ts';

/** The clinic as its letters sign. */
export interface LetterHead {
  readonly clinicName: string;
  readonly clinicEmail: string;
  readonly clinicPhone: string;
  readonly clinicAddress: string;
}

export function letterHead({ clinic }: Pick<ServiceConfig, 'clinic'>): LetterHead {
  const { name, email, phone, address } = clinic;
  return { clinicName: name, clinicEmail: email, clinicPhone: phone, clinicAddress: address };
}

export function subjectOf(subject: string, { clinicName }: LetterHead): string {
  return mailText('subject', { subject, clinicName });
}

/** A wall time with its zone in words, because the reader's device may know older rules. */
export function letterTime(wallTime: string): string {
  return mailText('pacificTime', { time: wallTime });
}

export function lettersEnd(head: LetterHead): string[] {
  return [
    head.clinicName,
    head.clinicAddress,
    mailText('phone', { phone: head.clinicPhone }),
    mailText('email', { email: head.clinicEmail }),
  ];
}
