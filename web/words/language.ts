/** The language of the words, for numbers and dates: those of "en" are written as in Britain. */
export const LANGUAGE = "en-GB"
