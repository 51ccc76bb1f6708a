import { useQueryClient } from '@tanstack/react-query';
import {
  MEDICAL_PROFILE_FIELDS,
  tidyMedicalProfile,
  whyMedicalProfileRefused,
  type MedicalProfile,
  type MedicalProfileField,
} from '@clinic/domain';
import { useState } from 'react';
import { t } from '../../messages/t.ts';
import { ApiError, messageOf } from '../api/api-error.ts';
import { clinicToday } from '../api/clock.ts';
import { request } from '../api/service.ts';
import { useFormErrors, type FoundError } from '../forms/form-errors.ts';
import { keepTyped, profileQuery, typedProfile } from './profile-query.ts';
import { refusalWords } from './immigration-words.ts';

/** What is typed, what is wrong with it, and how it is saved. */
export function useImmigrationForm(start: MedicalProfile, onDone: () => void) {
  const queryClient = useQueryClient();
  const errors = useFormErrors<MedicalProfileField>('immigration');
  const [profile, setProfile] = useState(() => typedProfile(queryClient) ?? start);
  const [busy, setBusy] = useState(false);
  const [problem, setProblem] = useState<string | null>(null);

  const change = (part: Partial<MedicalProfile>) => {
    const next = { ...profile, ...part };
    setProfile(next);
    keepTyped(queryClient, next);
    errors.edited(...MEDICAL_PROFILE_FIELDS.filter((field) => field in part));
  };

  const save = async () => {
    const found = whyMedicalProfileRefused(profile, clinicToday()).map((refusal) => ({
      field: refusal.field,
      message: refusalWords(refusal),
    }));
    setProblem(null);
    errors.show(found);
    if (found.length > 0) return;
    setBusy(true);
    try {
      const eMedProfile = tidyMedicalProfile(profile);
      const kept = await request('saveMedicalProfile', { body: { eMedProfile } });
      queryClient.setQueryData(profileQuery.queryKey, kept.extras.profile);
      keepTyped(queryClient, null);
      onDone();
    } catch (error) {
      setBusy(false);
      const atFields = fieldErrors(error);
      errors.show(atFields);
      if (atFields.length === 0) setProblem(problemWords(error));
    }
  };
  return { profile, errors, busy, problem, change, save };
}

/** What the service refused by field (§5, R-2). */
function fieldErrors(error: unknown): FoundError<MedicalProfileField>[] {
  if (!(error instanceof ApiError)) return [];
  return error.fieldErrors.flatMap(({ field, message }) => {
    const name = MEDICAL_PROFILE_FIELDS.find((one) => field === `eMedProfile.${one}`);
    return name === undefined ? [] : [{ field: name, message }];
  });
}

/** §8: refused, or no answer. */
function problemWords(error: unknown): string {
  const refused = error instanceof ApiError && !error.unreachable && error.status < 500;
  return messageOf(error, t(refused ? 'immigration.refused' : 'immigration.failed'));
}
