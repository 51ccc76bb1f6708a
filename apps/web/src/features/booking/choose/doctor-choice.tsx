import {
  doctorName,
  gives,
  whyNotListed,
  whyUnselectable,
  type Choice,
  type Doctor,
  type AppointmentType,
  type DoctorRefusal,
  type DoctorStatus,
  type PatientFacts,
} from '@clinic/domain';
import { RadioRows, type RadioOption } from '@clinic/ui/radio-cards';
import type { ReactNode } from 'react';
import { text } from '@clinic/contract/told-by-pages';
import { locale, t } from '../../../messages/t.ts';
import { withClinicWords } from '../../../shared/clinic-words.tsx';

const EARLIEST = 'earliest';

interface DoctorChoiceProps {
  id: string;
  rows: readonly DoctorRow[];
  chosen: Choice['doctor'];
  /** Type of the appointment being moved; doctors who do not give it are disabled. Null otherwise. */
  locked: AppointmentType | null;
  error: string | null;
  onEarliest: () => void;
  onDoctor: (doctor: Doctor) => void;
}

/** 'Earliest available doctor', then each doctor with a note or the reason for being disabled. */
export function DoctorChoice(props: DoctorChoiceProps) {
  const { id, rows, chosen, locked, error, onEarliest, onDoctor } = props;
  const isGiven = ({ doctor }: DoctorRow) => locked === null || gives(doctor, locked);
  const options: RadioOption<string>[] = [
    { value: EARLIEST, label: t('booking.earliest'), description: t('booking.earliestHint') },
    ...rows.map((row) => ({
      value: row.id,
      label: <span translate="no">{row.name}</span>,
      description: isGiven(row) ? lineOf(row) : t('booking.notGiven'),
      disabled: row.refusal !== null || !isGiven(row),
    })),
  ];
  return (
    <RadioRows
      id={id}
      label={t('booking.doctor')}
      error={error}
      options={options}
      value={chosen === null || chosen === 'earliest' ? chosen : chosen.id}
      onChange={(value) => {
        const row = rows.find((one) => one.id === value);
        if (row) onDoctor(row.doctor);
        else onEarliest();
      }}
    />
  );
}

function lineOf({ refusal, comment }: DoctorRow): ReactNode {
  const note =
    comment === ''
      ? undefined
      : withClinicWords((words) => t('booking.doctorNote', { comment: words }), comment);
  if (refusal === null || (refusal.code === 'disabled' && note)) return note;
  return refusalWords(refusal);
}

export interface DoctorRow {
  readonly id: string;
  readonly doctor: Doctor;
  readonly name: string;
  /** The clinic's comment; empty when there is none. */
  readonly comment: string;
  readonly refusal: DoctorRefusal | null;
}

/** The doctors of step 1, each with the reason why they cannot be chosen, if any. */
export function doctorRows(
  doctors: readonly Doctor[],
  statuses: ReadonlyMap<string, DoctorStatus>,
  type: AppointmentType | null,
  patient: PatientFacts,
): DoctorRow[] {
  return doctors.flatMap((doctor) => {
    const status = statuses.get(doctor.id);
    if (!status || whyNotListed(status)) return [];
    const refusal = whyUnselectable(doctor, status, type, patient);
    return [
      {
        id: doctor.id,
        doctor,
        name: doctorName(doctor),
        comment: status.comment.trim(),
        refusal,
      },
    ];
  });
}

/** Why a doctor cannot be chosen, in the specification's words. */
export function refusalWords(refusal: DoctorRefusal): string {
  switch (refusal.code) {
    case 'disabled':
      return refusal.comment === '' ? t('booking.notAvailable') : refusal.comment;
    case 'blocked':
      return t('booking.notAvailable');
    case 'noPcpConflict':
      return text(locale(), 'doctorNoPcp');
    case 'familyOnly':
      return text(locale(), 'doctorFamilyOnly');
  }
}
