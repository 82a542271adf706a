"""For the curious: reading a vocabulary's origin, measuring it, and learning one top-down.

`vocabulary` says which entries begin a word and which continue one, `measures` says how good a
vocabulary is, `provenance` infers from a file how its vocabulary was made, and `top_down` learns a
vocabulary without merges. `python -m wpedu.vocabularies PATH` prints a reading.
"""

from wpedu.vocabularies import measures, provenance, top_down, vocabulary
from wpedu.vocabularies.measures import *
from wpedu.vocabularies.provenance import *
from wpedu.vocabularies.top_down import *
from wpedu.vocabularies.vocabulary import *

__all__ = measures.__all__ + provenance.__all__ + top_down.__all__ + vocabulary.__all__
