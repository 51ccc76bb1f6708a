import {
  CONTACT_PREFERENCES,
  EXPERIENCING,
  MEDICATION_LENGTH,
  SYMPTOM_LENGTH,
  toggleExperiencing,
  toggleTreatment,
  TREATMENTS,
  type Treatment,
} from '@clinic/domain';
import { CheckboxGroup } from '@clinic/ui/checkbox-group';
import { FieldGroup } from '@clinic/ui/field';
import input from '@clinic/ui/input.module.css';
import { RadioRows } from '@clinic/ui/radio-cards';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { useId } from 'react';
import { t } from '../../../messages/t.ts';
import type { FormErrors } from '../../../shared/forms/form-errors.ts';
import type { AnswerField, CrashAnswers } from './answers.ts';
import styles from './crash-fields.module.css';

interface CrashFieldsProps {
  crash: CrashAnswers;
  form: FormErrors<AnswerField>;
  onChange: (changed: Partial<CrashAnswers>) => void;
}

/** What type I asks beside the claim number. */
export function CrashFields({ crash, form, onChange }: CrashFieldsProps) {
  const change = (changed: Partial<CrashAnswers>, ...fields: AnswerField[]) => {
    form.edited(...fields);
    onChange(changed);
  };
  const other = crash.treatmentList.find((treatment) => typeof treatment !== 'string');
  return (
    <div className={styles.fields}>
      <CrashDateField
        id={form.idOf('crashYear')}
        crash={crash}
        error={form.errorOf('crashYear')}
        onChange={(changed) => change(changed, 'crashYear')}
      />
      <RadioRows
        id={form.idOf('contactPreference')}
        label={t('booking.crash.contact')}
        error={form.errorOf('contactPreference')}
        options={CONTACT_PREFERENCES.map((value) => ({
          value,
          label: t(`booking.crash.contact.${value}`),
        }))}
        value={crash.contactPreference}
        onChange={(contactPreference) => change({ contactPreference }, 'contactPreference')}
      />
      <TextArea
        id={form.idOf('symptom')}
        label={t('booking.crash.symptom')}
        hint={t('booking.crash.symptomHint')}
        rows={3}
        autoComplete="off"
        maxCharacters={SYMPTOM_LENGTH.maximum}
        value={crash.symptom}
        error={form.errorOf('symptom')}
        onChange={(symptom) => change({ symptom }, 'symptom')}
      />
      <CheckboxGroup
        id={form.idOf('experiencingList')}
        label={t('booking.crash.experiencing')}
        hint={t('booking.crash.chooseAll')}
        error={form.errorOf('experiencingList')}
        options={EXPERIENCING.map((value) => ({
          value,
          label: t(`booking.crash.experiencing.${value}`),
        }))}
        values={crash.experiencingList}
        onToggle={(item) => {
          const experiencingList = toggleExperiencing(crash.experiencingList, item);
          change({ experiencingList }, 'experiencingList');
        }}
      />
      <CheckboxGroup
        id={form.idOf('treatmentList')}
        label={t('booking.crash.treatment')}
        hint={t('booking.crash.chooseAll')}
        error={form.errorOf('treatmentList')}
        options={TREATMENTS.map((value) => ({
          value,
          label: t(`booking.crash.treatment.${value}`),
        }))}
        values={crash.treatmentList.map(keyOf)}
        onToggle={(key) => {
          const treatmentList = toggleTreatment(crash.treatmentList, key);
          change({ treatmentList }, 'treatmentList', 'otherTreatment');
        }}
      />
      {typeof other === 'object' && (
        <TextField
          id={form.idOf('otherTreatment')}
          label={t('booking.crash.otherTreatment')}
          autoComplete="off"
          value={other.text}
          error={form.errorOf('otherTreatment')}
          onChange={(text) => {
            const treatmentList = crash.treatmentList.map((one) => withText(one, text));
            change({ treatmentList }, 'otherTreatment');
          }}
        />
      )}
      <RadioRows
        id={form.idOf('medicationTaken')}
        label={t('booking.crash.medication')}
        error={form.errorOf('medicationTaken')}
        options={[
          { value: 'yes', label: t('booking.yes') },
          { value: 'no', label: t('booking.no') },
        ]}
        value={crash.takesMedication === null ? null : crash.takesMedication ? 'yes' : 'no'}
        onChange={(takes) =>
          change({ takesMedication: takes === 'yes' }, 'medicationTaken', 'medication')
        }
      />
      {crash.takesMedication === true && (
        <TextArea
          id={form.idOf('medication')}
          label={t('booking.crash.medicationText')}
          rows={2}
          autoComplete="off"
          maxCharacters={MEDICATION_LENGTH.maximum}
          value={crash.medication}
          error={form.errorOf('medication')}
          onChange={(medication) => change({ medication }, 'medication')}
        />
      )}
    </div>
  );
}

const keyOf = (treatment: Treatment) => (typeof treatment === 'string' ? treatment : treatment.key);

const withText = (treatment: Treatment, text: string): Treatment =>
  typeof treatment === 'string' ? treatment : { key: 'other', text };

type DatePart = 'crashYear' | 'crashMonth' | 'crashDay';

const PARTS: readonly { readonly part: DatePart; readonly digits: number }[] = [
  { part: 'crashYear', digits: 4 },
  { part: 'crashMonth', digits: 2 },
  { part: 'crashDay', digits: 2 },
];

interface CrashDateFieldProps {
  id: string;
  crash: CrashAnswers;
  error: string | null;
  onChange: (part: Partial<Pick<CrashAnswers, DatePart>>) => void;
}

/** The date of the crash as year, month and day: digits only, and never an instant. */
function CrashDateField({ id, crash, error, onChange }: CrashDateFieldProps) {
  const name = useId();
  return (
    <FieldGroup
      id={id}
      label={t('booking.crash.date')}
      hint={t('booking.crash.dateHint')}
      error={error}
    >
      {(wiring) => (
        <div className={styles.date}>
          {PARTS.map(({ part, digits }, index) => {
            const partId = index === 0 ? wiring.id : `${name}-${part}`;
            return (
              <div key={part} className={styles.part}>
                <label htmlFor={partId}>{t(`booking.crash.${part}`)}</label>
                <input
                  id={partId}
                  className={input.input}
                  type="text"
                  inputMode="numeric"
                  autoComplete="off"
                  size={digits}
                  aria-invalid={wiring['aria-invalid']}
                  value={crash[part] ?? ''}
                  onChange={({ target }) =>
                    onChange({ [part]: numberOf(target.value.slice(0, digits)) })
                  }
                />
              </div>
            );
          })}
        </div>
      )}
    </FieldGroup>
  );
}

function numberOf(typed: string): number | null {
  const digits = typed.replace(/\D/g, '');
  return digits === '' ? null : Number(digits);
}
