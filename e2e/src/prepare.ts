import { forgetSeededFolders, seededFolder } from './clinic-process.ts';
import { ordinaryMorning } from './moments.ts';

/** Before the journeys: the folder that most of them copy. */
export default async function prepare(): Promise<void> {
  forgetSeededFolders();
  await seededFolder(ordinaryMorning);
}
