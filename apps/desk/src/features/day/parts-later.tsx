import { later } from '@clinic/app/later';
import { MissingPart } from '../../shared/missing-part.tsx';

const parts = async () => {
  const [panel, help] = await Promise.all([
    import('./appointment-panel.tsx'),
    import('./keys-help.tsx'),
    import('../../shared/all-words.ts'),
  ]);
  return { ...panel, ...help };
};

export const AppointmentPanel = later(async () => (await parts()).AppointmentPanel, {
  Missing: MissingPart,
});

export const KeysHelp = later(async () => (await parts()).KeysHelp, { Missing: MissingPart });
