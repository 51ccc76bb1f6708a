import type { ApiFoundPatient } from '@clinic/contract';
import type { Ref } from 'react';
import { t } from '../words.ts';
import { moveByArrows } from '../arrows.ts';
import styles from './booking.module.css';

interface Choice extends ApiFoundPatient {
  readonly hasCard?: boolean;
}

interface FoundListProps {
  onPick: (patient: ApiFoundPatient) => void;
  patients: readonly Choice[];
  label: string;
  /** For the first one. */
  comeIn?: Ref<HTMLButtonElement>;
}

/** Patients to choose one of: Tab comes to the first, arrows move. */
export function FoundList({ patients, label, comeIn, onPick }: FoundListProps) {
  return (
    <ul className={styles.choices} aria-label={label} onKeyDown={moveByArrows}>
      {patients.map((patient, at) => (
        <li key={patient.patientId ?? patient.recordId}>
          <Found
            patient={patient}
            isFirst={at === 0}
            comeIn={at === 0 ? comeIn : undefined}
            onPick={onPick}
          />
        </li>
      ))}
    </ul>
  );
}

interface FoundProps extends Pick<FoundListProps, 'onPick'> {
  patient: Choice;
  isFirst: boolean;
  comeIn: Ref<HTMLButtonElement> | undefined;
}

function Found({ patient, isFirst, comeIn, onPick }: FoundProps) {
  const { patientId, name, birthDate, recordId, hasCard = false } = patient;
  return (
    <button
      type="button"
      className={styles.choice}
      data-choice=""
      tabIndex={isFirst ? 0 : -1}
      ref={comeIn}
      onClick={() => onPick(patient)}
    >
      <b>{name}</b>
      <span>{t('desk.bornOn', { date: birthDate })}</span>
      <span className={styles.soft}>
        {t('desk.recordNo', { record: recordId })}
        {patientId === null && `, ${t('desk.noAccountYet')}`}
        {hasCard && `, ${t('desk.likelyCard')}`}
      </span>
    </button>
  );
}
