#pragma once
// Letters of pictures.

namespace kasc::command {

/// Where the machine has no configuration of fonts, as a bare container has none, fontconfig is told of the one that
/// came with kasc, if one did: a bundle's share/kasc/fonts. To be called before there are threads.
void use_own_fonts_without_others();

}  // namespace kasc::command
