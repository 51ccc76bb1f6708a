import type { DemographicNo, ProviderNo } from './alphabets.ts';
import { OscarFault, OscarInvalid, OscarOutcomeUnknown } from './errors.ts';
import type { Link } from './link.ts';
import { isTrue, writtenNo } from './reading.ts';
import { instantOfDate } from './wall-clock.ts';
import { assertFits, columns } from './writing.ts';

interface TicklerDraft {
  /** Stored in the text as [key], because OSCAR's answer has no number for the tickler. */
  readonly key: string;
  readonly demographicNo: DemographicNo;
  readonly assignedTo: ProviderNo;
  readonly text: string;
  /** 'YYYY-MM-DD'. */
  readonly due: string;
}

interface DocumentDraft {
  readonly demographicNo: DemographicNo;
  readonly fileName: string;
  readonly contentType: string;
  readonly description: string;
  readonly source: string;
  readonly bytes: Uint8Array;
}

/** Thirteen megabytes take a clinic's line longer than any other call. */
const DOCUMENT_PATIENCE = 4;

export const ticklerCalls = ({ rest }: Link) => ({
  /**
   * REST only: SOAP has no ticklers. OSCAR answers no number, and nothing more is asked after the write: a
   * failure then would look as if the tickler had not been stored.
   */
  async addTickler({ key, demographicNo, assignedTo, text, due }: TicklerDraft): Promise<void> {
    const message = `${text} [${key}]`;
    assertFits({ message }, columns.tickler);
    const { success } = await rest.call('/tickler/add', {
      message,
      demographicNo: Number(demographicNo),
      taskAssignedTo: assignedTo,
      priority: 'Normal',
      status: 'A',
      serviceDate: instantOfDate(due),
    });
    if (success === undefined)
      throw new OscarOutcomeUnknown('The tickler was answered with nothing');
    if (!isTrue(success)) throw new OscarFault('OSCAR did not take the tickler');
  },

  /** REST only. Never repeat the call: each one adds the file to the patient's record again. */
  async storeDocument({ demographicNo, bytes, ...texts }: DocumentDraft): Promise<void> {
    assertFits(texts, columns.document);
    if (/[\\/]/.test(texts.fileName)) throw new OscarInvalid('A file name has no folders');
    const sent = {
      ...texts,
      type: 'others',
      numberOfPages: 1,
      demographicNo: Number(demographicNo),
      // In nobody's inbox.
      providerNo: '',
      fileContents: Buffer.from(bytes).toString('base64'),
    };
    const path = '/document/saveDocumentToDemographic';
    writtenNo((await rest.call(path, sent, DOCUMENT_PATIENCE)).id);
  },
});
