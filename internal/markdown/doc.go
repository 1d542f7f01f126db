// Package markdown makes Markdown safe for renderers that drop what they take for
// HTML: a reader must see every word that the author wrote.
package markdown
