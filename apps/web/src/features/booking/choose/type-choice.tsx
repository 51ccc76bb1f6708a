import { appointmentMode, offeredTypes } from '@clinic/domain';
import type { AppointmentType, AppointmentTypeCode, Choice } from '@clinic/domain';
import { Button } from '@clinic/ui/button';
import { focusByPress } from '@clinic/ui/focus';
import { EmptyState } from '@clinic/ui/page-states';
import { RadioCards, type RadioOption } from '@clinic/ui/radio-cards';
import {
  CalendarDays,
  Car,
  ChevronDown,
  CreditCard,
  FileText,
  Globe,
  Phone,
  PhoneCall,
  Pill,
  Stethoscope,
  type LucideIcon,
} from 'lucide-react';
import { useRef, useState } from 'react';
import { flushSync } from 'react-dom';
import { t } from '../../../messages/t.ts';
import { minutesWords, modeWords } from '../../../shared/appointment-length.ts';
import { TypeName } from '../../../shared/clinic-words.tsx';
import type { BookingData } from '../booking-data.ts';
import styles from './type-choice.module.css';
import { feeWords } from '../appointment-summary.tsx';

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

/** True for the specification's types. A clinic's own types get a plain icon and no description. */
const isSpecified = (code: AppointmentTypeCode): code is keyof typeof ICONS =>
  Object.hasOwn(ICONS, code);

interface TypeChoiceProps {
  id: string;
  data: BookingData;
  choice: Choice;
  /** Type of the appointment being moved, and then the only choice; null otherwise. */
  locked: AppointmentTypeCode | null;
  error: string | null;
  onChoose: (type: AppointmentType) => void;
  /** Called when a type is pressed, even if already chosen; arrow keys call `onChoose` only. */
  onPress: (type: AppointmentType) => void;
}

/** How many types are shown at first: the first ones of the clinic's list. */
const USUAL = 4;

/** Large cards: name, one plain line, mode and fee for this patient. */
export function TypeChoice(props: TypeChoiceProps) {
  const { id, data, choice, locked, error, onChoose, onPress } = props;
  const box = useRef<HTMLDivElement>(null);
  const [all, setAll] = useState(false);
  const open = (from: AppointmentTypeCode) => {
    flushSync(() => setAll(true));
    // The pressed button is gone, so the focus moves to the first new card.
    focusByPress(box.current?.querySelector<HTMLElement>(`[value="${from}"]`));
  };
  const hasMedicationSite = Boolean(data.config?.medicationSiteUrl);
  const offered =
    locked === null
      ? offeredTypes(data.types, choice, { hasMedicationSite })
      : data.types.filter(({ code }) => code === locked);
  if (offered.length === 0) return <EmptyState>{t('booking.noTypes')}</EmptyState>;
  // A single further type is shown at once, as it is not worth a press.
  const isUsual = (type: AppointmentType, index: number) =>
    all || offered.length <= USUAL + 1 || index < USUAL || type.code === choice.type?.code;
  const saysLength = lengthsDiffer(data.types);
  const shown = offered.filter(isUsual);
  const hidden = offered.find((type) => !shown.includes(type));
  const told = (tell: (type: AppointmentType) => void) => (code: AppointmentTypeCode) => {
    const type = offered.find((one) => one.code === code);
    if (type) tell(type);
  };
  return (
    <div ref={box} className={styles.types}>
      <RadioCards
        id={id}
        label={t('booking.type')}
        hideLegend={locked === null}
        hint={t(locked === null ? 'booking.typeHint' : 'booking.typeLocked')}
        error={error}
        options={shown.map((type) => optionOf(type, locked !== null, saysLength))}
        value={choice.type?.code ?? null}
        onChange={told(onChoose)}
        onPress={told(onPress)}
      />
      {hidden && (
        <Button
          variant="secondary"
          icon={<ChevronDown size={20} aria-hidden="true" />}
          onClick={() => open(hidden.code)}
        >
          {t('booking.otherTypes', { count: offered.length - shown.length })}
        </Button>
      )}
    </div>
  );
}

function optionOf(
  type: AppointmentType,
  moving: boolean,
  saysLength: boolean,
): RadioOption<AppointmentTypeCode> {
  const { code } = type;
  const Icon = isSpecified(code) ? ICONS[code] : CalendarDays;
  const mode =
    saysLength && type.form !== 'refill'
      ? `${minutesWords(type.minutes)} · ${modeOfType(type)}`
      : modeOfType(type);
  const fee = moving ? t('booking.feeKept') : feeWords(type.chargeCents);
  return {
    value: code,
    label: <TypeName of={type} />,
    description: (
      <>
        {isSpecified(code) && t(`booking.about.${code}`)}
        <span className={styles.line}>
          {mode} ·{'\u00A0'}
          <span className={styles.fee}>{fee}</span>
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

/** True when lengths differ among the types. Where all are alike, no choice mentions the length. */
export function lengthsDiffer(types: readonly AppointmentType[]): boolean {
  const minutes = types.filter(({ form }) => form !== 'refill').map((type) => type.minutes);
  return new Set(minutes).size > 1;
}

function modeOfType(type: AppointmentType): string {
  return type.form === 'refill' ? t('booking.online') : modeWords(appointmentMode(type, null));
}
