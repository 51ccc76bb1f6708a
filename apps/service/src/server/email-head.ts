import { mailText } from '@clinic/contract/mail-texts';
import type { ServiceConfig } from './config.ts';

/** The clinic as its emails sign. */
export interface EmailHead {
  readonly clinicName: string;
  readonly clinicEmail: string;
  readonly clinicPhone: string;
  readonly clinicAddress: string;
}

export function emailHead({ clinic }: Pick<ServiceConfig, 'clinic'>): EmailHead {
  const { name, email, phone, address } = clinic;
  return { clinicName: name, clinicEmail: email, clinicPhone: phone, clinicAddress: address };
}

export function subjectOf(subject: string, { clinicName }: EmailHead): string {
  return mailText('subject', { subject, clinicName });
}

/** A wall time with its zone in words, because the reader's device may know older rules. */
export function emailTime(wallTime: string): string {
  return mailText('pacificTime', { time: wallTime });
}

export function emailEnd(head: EmailHead): string[] {
  return [
    head.clinicName,
    head.clinicAddress,
    mailText('phone', { phone: head.clinicPhone }),
    mailText('email', { email: head.clinicEmail }),
  ];
}
