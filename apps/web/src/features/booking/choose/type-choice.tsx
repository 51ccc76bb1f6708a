import { offeredTypes } from '@clinic/domain';
import type { AppointmentType, AppointmentTypeCode, Choice } from '@clinic/domain';
import { EmptyState } from '@clinic/ui/page-states';
import { RadioCards, type RadioOption } from '@clinic/ui/radio-cards';
import {
  CalendarDays,
  Car,
  CreditCard,
  FileText,
  Globe,
  Phone,
  PhoneCall,
  Pill,
  Stethoscope,
  type LucideIcon,
} from 'lucide-react';
import { t } from '../../../messages/t.ts';
import type { BookingData } from './booking-data.ts';
import styles from './type-choice.module.css';
import { feeWords, modeWords } from '../words.ts';

const ICONS = {
  O: Stethoscope,
  P: Phone,
  PP: PhoneCall,
  V: CreditCard,
  I: Car,
  D: FileText,
  M: Globe,
  G: Globe,
  F: Pill,
} satisfies Record<string, LucideIcon>;

/** A clinic's own types have an icon like any other, and no line but their name. */
const isSpecified = (code: AppointmentTypeCode): code is keyof typeof ICONS =>
  Object.hasOwn(ICONS, code);

interface TypeChoiceProps {
  id: string;
  data: BookingData;
  choice: Choice;
  /** The type of the appointment that is being moved: no other can be chosen. */
  locked: AppointmentTypeCode | null;
  error: string | null;
  onChoose: (type: AppointmentType) => void;
}

/** Large cards: name, one plain line, mode and fee for this patient. */
export function TypeChoice({ id, data, choice, locked, error, onChoose }: TypeChoiceProps) {
  const hasMedicationSite = Boolean(data.config?.medicationSiteUrl);
  const offered =
    locked === null
      ? offeredTypes(data.types, choice, { hasMedicationSite })
      : data.types.filter(({ code }) => code === locked);
  if (offered.length === 0) return <EmptyState>{t('booking.noTypes')}</EmptyState>;
  return (
    <RadioCards
      id={id}
      label={t('booking.type')}
      hideLegend={locked === null}
      hint={locked === null ? undefined : t('booking.typeLocked')}
      error={error}
      options={offered.map((type) => optionOf(type, locked !== null))}
      value={choice.type?.code ?? null}
      onChange={(code) => {
        const type = offered.find((one) => one.code === code);
        if (type) onChoose(type);
      }}
    />
  );
}

function optionOf(type: AppointmentType, moving: boolean): RadioOption<AppointmentTypeCode> {
  const { code } = type;
  const Icon = isSpecified(code) ? ICONS[code] : CalendarDays;
  const mode = modeWords(type);
  const fee = moving ? t('booking.feeKept') : feeWords(type.chargeCents);
  return {
    value: code,
    label: type.description,
    description: (
      <>
        {isSpecified(code) && t(`booking.about.${code}`)}
        <span className={styles.line}>
          {mode} · <span className={styles.fee}>{fee}</span>
        </span>
      </>
    ),
    icon: <Icon size={24} />,
    aside: (
      <span className={styles.aside}>
        <span className={styles.mode}>{mode}</span>
        <span className={styles.fee}>{fee}</span>
      </span>
    ),
  };
}
