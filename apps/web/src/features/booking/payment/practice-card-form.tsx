import { useForm } from '@clinic/app/form';
import { practicePaymentMethod, toClinic, type EpochSeconds } from '@clinic/domain';
import { ErrorSummary } from '@clinic/ui/error-summary';
import { Notice } from '@clinic/ui/notice';
import { TextField } from '@clinic/ui/text-field';
import { useImperativeHandle, useState } from 'react';
import { t } from '../../../messages/t.ts';
import { clinicNow } from '@clinic/app/clock';
import type { CardFormProps, CardOutcome } from './card.ts';
import styles from './card-form.module.css';

const PROBLEMS = {
  number: 'pay.practiceNumber',
  expiry: 'pay.practiceExpiry',
  cvc: 'pay.practiceCvc',
} as const satisfies Record<CardField, string>;

const CARDS = [
  ['4242 4242 4242 4242', 'pay.practiceAccepted'],
  ['4000 0000 0000 3220', 'pay.practiceBank'],
  ['4000 0000 0000 0002', 'pay.practiceDeclined'],
  ['4000 0000 0000 9995', 'pay.practiceInsufficient'],
  ['4000 0000 0000 0069', 'pay.practiceExpired'],
] as const;

/** Takes practice cards only, and says so. The number becomes an id in the browser and is not sent. */
export function PracticeCardForm({ ref, busy }: CardFormProps) {
  const form = useForm(useState<TypedCard>({ number: '', expiry: '', cvc: '' }));

  useImperativeHandle(ref, () => ({
    async createPaymentMethod(): Promise<CardOutcome> {
      const problems = cardProblems(form.values, clinicNow());
      form.show(problems.map((field) => ({ field, message: t(PROBLEMS[field]) })));
      const method = practicePaymentMethod(form.values.number, nonce());
      return problems.length > 0 || method === null
        ? { kind: 'incomplete' }
        : { kind: 'method', id: method };
    },
  }));

  const field = (name: CardField, asTyped: (typed: string) => string) => ({
    ...form.field(name),
    // Keeps the browser from offering real cards.
    autoComplete: 'off',
    inputMode: 'numeric' as const,
    readOnly: busy,
    onChange: (typed: string) => form.change({ [name]: asTyped(typed) }),
  });

  return (
    <div className={styles.form}>
      <ErrorSummary errors={form.summary} attempt={form.attempt} />
      <Notice kind="caution" title={t('pay.practiceTitle')}>
        <p>{t('pay.practiceText')}</p>
        <ul className={styles.cards}>
          {CARDS.map(([number, meaning]) => (
            <li key={number}>
              <span className={styles.number}>{number}</span> {t(meaning)}
            </li>
          ))}
        </ul>
      </Notice>
      <TextField {...field('number', asCardNumber)} label={t('pay.number')} />
      <div className={styles.pair}>
        <TextField {...field('expiry', asExpiry)} label={t('pay.expiry')} width="short" />
        <TextField
          {...field('cvc', (typed) => typed.replaceAll(/\D/g, '').slice(0, 3))}
          label={t('pay.cvc')}
          width="short"
        />
      </div>
    </div>
  );
}

function nonce(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

/** What is typed into the practice card form. */
interface TypedCard {
  readonly number: string;
  /** 'MM/YY' */
  readonly expiry: string;
  readonly cvc: string;
}

type CardField = keyof TypedCard;

/** The fields of a typed card that are wrong; empty when the card can be used. */
export function cardProblems(
  { number, expiry, cvc }: TypedCard,
  now: EpochSeconds,
): readonly CardField[] {
  return [
    ...(practicePaymentMethod(number, 'x') === null ? (['number'] as const) : []),
    ...(isExpiry(expiry, now) ? [] : (['expiry'] as const)),
    ...(/^\d{3}$/.test(cvc) ? [] : (['cvc'] as const)),
  ];
}

function isExpiry(expiry: string, now: EpochSeconds): boolean {
  const [, month = '', year = ''] = /^(\d{2})\/(\d{2})$/.exec(expiry) ?? [];
  const valid = Number(month) >= 1 && Number(month) <= 12;
  return valid && `20${year}-${month}` >= toClinic(now).date.slice(0, 7);
}

/** Formats what is typed as '4242 4242 4242 4242'. */
export function asCardNumber(typed: string): string {
  const digits = typed.replaceAll(/\D/g, '').slice(0, 16);
  return digits.replaceAll(/(\d{4})(?=\d)/g, '$1 ');
}

/** Formats what is typed as '12/30'. */
export function asExpiry(typed: string): string {
  const digits = typed.replaceAll(/\D/g, '').slice(0, 4);
  return digits.length > 2 ? `${digits.slice(0, 2)}/${digits.slice(2)}` : digits;
}
