import { later } from '@clinic/app/later';
import { MissingPart } from '../../shared/missing-part.tsx';

const parts = async () => {
  const [panel, help, arrange, cancelled] = await Promise.all([
    import('./appointment-panel.tsx'),
    import('./keys-help.tsx'),
    import('./arrange-dialog.tsx'),
    import('./cancelled/cancelled-dialog.tsx'),
    import('../../shared/all-words.ts'),
  ]);
  return { ...panel, ...help, ...arrange, ...cancelled };
};

export const AppointmentPanel = later(async () => (await parts()).AppointmentPanel, {
  Missing: MissingPart,
});

export const KeysHelp = later(async () => (await parts()).KeysHelp, { Missing: MissingPart });

export const ArrangeDialog = later(async () => (await parts()).ArrangeDialog, {
  Missing: MissingPart,
});

export const CancelledDialog = later(async () => (await parts()).CancelledDialog, {
  Missing: MissingPart,
});
