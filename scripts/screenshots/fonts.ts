import { writeFile } from 'node:fs/promises';

/** The pages are set in the first of these that is installed. */
const FAMILIES = ['Inter', 'Noto Sans'];

/** Writes a fontconfig configuration with a good system font. It applies to a browser whose FONTCONFIG_FILE names it. */
export async function writeFontConfig(file: string): Promise<void> {
  const prefer = FAMILIES.map((family) => `<string>${family}</string>`).join('');
  const rules = ['system-ui', 'sans-serif', 'sans'].map(
    (name) => `
  <match target="pattern">
    <test name="family"><string>${name}</string></test>
    <edit name="family" mode="prepend" binding="strong">${prefer}</edit>
  </match>`,
  );
  const head = '<?xml version="1.0"?>\n<!DOCTYPE fontconfig SYSTEM "fonts.dtd">';
  await writeFile(
    file,
    `${head}\n<fontconfig>${rules.join('')}\n  <include>/etc/fonts/fonts.conf</include>\n</fontconfig>\n`,
  );
}
