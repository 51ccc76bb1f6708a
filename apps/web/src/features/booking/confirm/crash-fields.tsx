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
import { DateField } from '@clinic/ui/date-field';
import { RadioRows } from '@clinic/ui/radio-cards';
import { TextArea } from '@clinic/ui/text-area';
import { TextField } from '@clinic/ui/text-field';
import { t } from '../../../messages/t.ts';
import type { FormErrors } from '@clinic/app/form';
import type { AnswerField, CrashAnswers } from './answers.ts';
import styles from './crash-fields.module.css';

interface CrashFieldsProps {
  crash: CrashAnswers;
  form: FormErrors<AnswerField>;
  onChange: (changed: Partial<CrashAnswers>) => void;
}

/** The questions that type I asks besides the claim number. */
export function CrashFields({ crash, form, onChange }: CrashFieldsProps) {
  const change = (changed: Partial<CrashAnswers>, ...fields: AnswerField[]) => {
    form.edited(...fields);
    onChange(changed);
  };
  const field = (name: AnswerField, label: string) => ({
    id: form.idOf(name),
    error: form.errorOf(name),
    label,
  });
  const other = crash.treatmentList.find((treatment) => typeof treatment !== 'string');
  return (
    <div className={styles.fields}>
      <DateField
        {...field('crashYear', t('booking.crash.date'))}
        value={{
          year: crash.crashYear ?? 0,
          month: crash.crashMonth ?? 0,
          day: crash.crashDay ?? 0,
        }}
        onChange={({ year, month, day }) =>
          change(
            { crashYear: year || null, crashMonth: month || null, crashDay: day || null },
            'crashYear',
          )
        }
      />
      <RadioRows
        {...field('contactPreference', t('booking.crash.contact'))}
        options={CONTACT_PREFERENCES.map((value) => ({
          value,
          label: t(`booking.crash.contact.${value}`),
        }))}
        value={crash.contactPreference}
        onChange={(contactPreference) => change({ contactPreference }, 'contactPreference')}
      />
      <TextArea
        {...field('symptom', t('booking.crash.symptom'))}
        hint={t('booking.crash.symptomHint')}
        rows={3}
        autoComplete="off"
        maxCharacters={SYMPTOM_LENGTH.maximum}
        value={crash.symptom}
        onChange={(symptom) => change({ symptom }, 'symptom')}
      />
      <CheckboxGroup
        {...field('experiencingList', t('booking.crash.experiencing'))}
        hint={t('booking.crash.chooseAll')}
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
        {...field('treatmentList', t('booking.crash.treatment'))}
        hint={t('booking.crash.chooseAll')}
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
          {...field('otherTreatment', t('booking.crash.otherTreatment'))}
          autoComplete="off"
          value={other.text}
          onChange={(text) => {
            const treatmentList = crash.treatmentList.map((one) => withText(one, text));
            change({ treatmentList }, 'otherTreatment');
          }}
        />
      )}
      <RadioRows
        {...field('medicationTaken', t('booking.crash.medication'))}
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
          {...field('medication', t('booking.crash.medicationText'))}
          rows={2}
          autoComplete="off"
          maxCharacters={MEDICATION_LENGTH.maximum}
          value={crash.medication}
          onChange={(medication) => change({ medication }, 'medication')}
        />
      )}
    </div>
  );
}

const keyOf = (treatment: Treatment) => (typeof treatment === 'string' ? treatment : treatment.key);

const withText = (treatment: Treatment, text: string): Treatment =>
  typeof treatment === 'string' ? treatment : { key: 'other', text };
