import { forgetCleanScreens } from './accessible.ts';
import { forgetSeededFolders, seededFolder } from './clinic-process.ts';
import { ordinaryMorning } from './moments.ts';

/** Before the journeys: what an earlier run found is forgotten, and the folder that most of them copy is made. */
export default async function prepare(): Promise<void> {
  forgetCleanScreens();
  forgetSeededFolders();
  await seededFolder(ordinaryMorning);
}
