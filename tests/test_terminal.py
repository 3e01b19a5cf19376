"""Text that is safe to show."""

import io

from barreleye.terminal import SafeOutput, printable


def test_nothing_is_obeyed():
    assert printable("Müller, J. \u265e") == "Müller, J. \u265e"
    assert printable("a\x1b]0;title\x07b\x9b2Jc\u202ed\r\ne\x7f\ud800") == "a?]0;title?b?2Jc?d??e??"
    stream = io.StringIO()
    SafeOutput(stream).write("one\ttwo\nthree\x1b[2J\n")
    assert stream.getvalue() == "one\ttwo\nthree?[2J\n"
